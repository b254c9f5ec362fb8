"""Verbs that tell somebody or something to act, and their forms."""

from __future__ import annotations

from functools import lru_cache


def _verbs(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ENGLISH = _verbs(
    """
    abort activate add adjust administer alert allocate amend apply approve archive arrange assemble assign
    attach authorize backup block book boot bypass calibrate cancel charge check choose clean clear click close
    collect compare compile complete configure confirm connect contact convert copy create cut deactivate debit
    deduct delete deliver deploy destroy detach detect disable disassemble discard disclose disconnect
    dismantle dismiss dispatch display dissolve distribute drain draw drop edit eject enable encrypt enter
    erase evacuate examine exchange execute exit export extend extract fasten fetch file fill fire flush format
    forward grant grease halt hire hold import indemnify infuse inform initialize initiate inject insert
    inspect install invoice invoke isolate issue launch load lock log loosen lower lubricate measure merge
    migrate modify monitor mount move notify obtain open operate order overwrite pause pay perform ping place
    plug poll post prescribe press prevent print proceed process pull pump purchase push raise reboot
    recalibrate receive recommend reconnect record recover redeem refund refuse register reimburse reinstall
    reject release reload remind remit remove rename renew repair repay repeat replace reply report repurchase
    request reset resolve respond restart restore resume retain retrieve retry return reverse revert revoke
    rinse roll rotate run save scan schedule screw secure select sell send ship shut sign skip solder start
    sterilize stop store submit subscribe supply suspend swap switch synchronize terminate test throw tighten
    transfer transmit transport treat trigger trip turn type undo unfasten uninstall unload unlock unplug
    unscrew update upgrade upload vacate validate vaccinate verify wait warn wash weigh wipe withdraw withhold
    wrap write
    """
)
"""Base forms."""

CHINESE = _verbs(
    """
    触发 启动 停止 重启 重试 执行 运行 打开 关闭 点击 单击 双击 按下 长按 选择 输入 安装 卸载 拆卸 拆除 删除
    添加 新增 创建 更新 升级 配置 设置 设定 重置 启用 停用 禁用 激活 连接 断开 切断 发送 发出 接收 提交 上传
    下载 保存 加载 备份 恢复 还原 复制 移动 移除 替换 更换 检查 检测 检验 检修 验证 核对 核实 测试 测量 测定
    清洁 清洗 清除 清空 润滑 拧紧 松开 固定 切换 锁定 解锁 插入 拔出 拔下 通知 告知 报告 报警 告警 记录 登记
    登录 退出 联系 支付 付款 缴纳 交付 交还 返还 退还 退回 赔偿 补偿 偿还 终止 解除 取消 撤销 暂停 中止 签署
    签订 批准 审批 审核 拒绝 驳回 受理 转让 划转 扣除 扣减 冻结 发布 公布 披露 购买 采购 出售 回购 招聘 辞退
    注射 给药 服用 口服 监测 观察 就医 停药 消毒 冲洗 计算 转换 调整 调节 校准 校验 打印 扫描 读取 写入 调用
    返回 跳转 生成 导入 导出 部署 分配 释放 隔离 处理 进行 完成 提供 办理 申请 报销 预订 归还 上报 提醒
    """
)

_IRREGULAR = {
    "cut": ("cuts", "cut", "cut", "cutting"),
    "draw": ("draws", "drew", "drawn", "drawing"),
    "hold": ("holds", "held", "held", "holding"),
    "pay": ("pays", "paid", "paid", "paying"),
    "repay": ("repays", "repaid", "repaid", "repaying"),
    "reset": ("resets", "reset", "reset", "resetting"),
    "run": ("runs", "ran", "run", "running"),
    "sell": ("sells", "sold", "sold", "selling"),
    "send": ("sends", "sent", "sent", "sending"),
    "shut": ("shuts", "shut", "shut", "shutting"),
    "throw": ("throws", "threw", "thrown", "throwing"),
    "undo": ("undoes", "undid", "undone", "undoing"),
    "withdraw": ("withdraws", "withdrew", "withdrawn", "withdrawing"),
    "withhold": ("withholds", "withheld", "withheld", "withholding"),
    "write": ("writes", "wrote", "written", "writing"),
    "overwrite": ("overwrites", "overwrote", "overwritten", "overwriting"),
}
_DOUBLED = frozenset(_verbs("plug unplug drop log trip skip ship stop swap wrap scan submit remit transmit"))
_VOWELS = "aeiou"


def inflected(base: str) -> tuple[str, str, str, str]:
    """Return a verb's third person, past tense, past participle and present participle.

    Examples
    --------
    >>> inflected("retry")
    ('retries', 'retried', 'retried', 'retrying')
    >>> inflected("stop"), inflected("send")
    (('stops', 'stopped', 'stopped', 'stopping'), ('sends', 'sent', 'sent', 'sending'))
    """
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base[:-1]}ied", f"{base}ing"
    third = f"{base}es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{base}s"
    if base in _DOUBLED:
        return third, f"{base}{base[-1]}ed", f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"
    if base.endswith("e"):
        return third, f"{base}d", f"{base}d", f"{base[:-1]}ing"
    return third, f"{base}ed", f"{base}ed", f"{base}ing"


@lru_cache(maxsize=1)
def english_forms() -> frozenset[str]:
    """Return every form of every English verb of the list."""
    return frozenset(form for base in ENGLISH for form in (base, *inflected(base)))
