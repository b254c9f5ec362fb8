"""A client tries again where that may help, holds where it is told to, and says what to do where it may not."""

from __future__ import annotations

import json
import logging
import pickle
import subprocess
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.workload.endpoint.server import ChatServer, Scripted, Time, completion, refusal
from workbench.errors import CostCeiling, EndpointFailed, InvalidOption
from workbench.workload.endpoint import Ceiling, Endpoint
from workbench.workload.endpoint.ceiling import Account, most_usage
from workbench.workload.endpoint.client import ChatClient, EndpointUseless
from workbench.workload.endpoint.pacing import Pacer, asked_pause
from workbench.workload.endpoint.replies import Reply, Usage

HELLO = [{"role": "user", "content": "年度 hello"}]
KEY = "sk-test-0123456789abcdef"


def asked(
    replies: Sequence[Scripted],
    *,
    account: Account | None = None,
    environment: dict[str, str] | None = None,
    **how: Any,
) -> tuple[Reply | EndpointFailed, ChatServer, Time]:
    """Ask once; sleeping takes no time."""
    time = Time()
    with ChatServer(list(replies)).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="small", **how)
        with ChatClient(endpoint, account, environment=environment or {}, clock=time.clock, sleep=time.sleep) as client:
            try:
                return client.complete(HELLO), server, time
            except EndpointFailed as error:
                return error, server, time


def test_an_answer_comes_with_what_the_server_counted() -> None:
    found, server, time = asked([completion("五百元", usage=(12, 4))])
    assert isinstance(found, Reply)
    assert (found.text, found.usage, found.finish, found.tries) == ("五百元", Usage(12, 4), "stop", 1)
    assert server.asked == [{"model": "small", "messages": HELLO, "temperature": 0.0, "max_tokens": 1024}]
    assert "Authorization" not in server.headers[0]
    assert time.slept == []


def test_a_busy_server_is_asked_again_after_the_time_that_it_names() -> None:
    found, server, time = asked([refusal(429, Retry_After="7"), completion("yes")])
    assert isinstance(found, Reply)
    assert (found.text, found.tries, len(server.asked), time.slept) == ("yes", 2, 2, [7.0])


def test_pauses_double_where_the_server_names_none() -> None:
    found, _, time = asked([refusal(500), refusal(503), Scripted(b"<html>bad gateway</html>", 502), completion("yes")])
    assert isinstance(found, Reply)
    assert (found.tries, time.slept) == (4, [1.0, 2.0, 4.0])


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (Scripted(b"<html>hello</html>"), "answered with HTML where a chat completion belongs"),
        (Scripted(b"42 apples"), "answered with no JSON where a chat completion belongs"),
        (Scripted(b"[" * 100_000), "answered with no JSON where a chat completion belongs"),
        (Scripted(b"[1]"), "answered with JSON that is no object"),
        (Scripted(b'{"text": "old"}'), "answered without choices"),
        (Scripted(b'{"choices": []}'), "answered with an empty list of choices"),
        (Scripted(b'{"choices": [7]}'), "answered with a choice that has no message"),
        (completion(None), "answered with a message that has no text"),
        (completion(None, finish="length"), "a message that has no text; raise max_answer_tokens"),
        (completion("a" * 400_001), "answered with 400,001 characters, and 400,000 are allowed"),
        (Scripted(b'{"choi', fault="cut"), "broke off (peer closed connection without sending complete message body"),
    ],
)  # fmt: skip
def test_nonsense_is_asked_again_and_told_if_it_stays(bad: Scripted, said: str) -> None:
    found, _, _ = asked([bad, completion("yes")])
    assert isinstance(found, Reply)
    assert found.tries == 2
    failed, server, _ = asked([bad, bad], tries=2)
    assert isinstance(failed, EndpointFailed)
    assert said in str(failed)
    assert str(failed).startswith(f"The endpoint {server.base_url} ")
    assert "at each of 2 tries; see whether it runs, and ask again: what was asked is remembered." in str(failed)


def test_a_server_that_hangs_has_failed_after_the_time_out() -> None:
    found, _, _ = asked([Scripted(fault="hang"), completion("yes")], timeout_seconds=0.2)
    assert isinstance(found, Reply)
    assert found.tries == 2
    failed, _, _ = asked([Scripted(fault="hang")], timeout_seconds=0.2, tries=1)
    assert "gave no answer in 0.2 seconds; see whether it runs" in str(failed)


def test_a_body_without_end_is_cut_off_and_not_asked_for_again() -> None:
    failed, server, _ = asked([completion("a" * (9 << 20))])
    assert "sent more than 8 MiB for one answer." in str(failed)
    assert len(server.asked) == 1


def test_a_server_that_is_not_there_is_named() -> None:
    with ChatServer([]).running() as server:
        pass
    time = Time()
    endpoint = Endpoint(base_url=server.base_url, model="small", tries=3)
    client = ChatClient(endpoint, environment={}, clock=time.clock, sleep=time.sleep)
    with pytest.raises(EndpointFailed, match=r"cannot be reached .* at each of 3 tries; see whether it runs"):
        client.complete(HELLO)
    assert time.slept == [1.0, 2.0]
    assert client.account.spent.tokens == 0


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (refusal(401, "no key"), "refused with status 401 (no key); set the API key that the endpoint expects in the "
                                 "environment variable OPENAI_API_KEY."),
        (refusal(403), "refused with status 403 (busy); the API key may not use this model."),
        (refusal(404, "no such model"), "refused with status 404 (no such model); check base_url and model."),
        (refusal(302, Location="http://127.0.0.2/"), "sends on to another address (302); give the address that answers "
                                                     "as base_url."),
        (refusal(429, "insufficient_quota"), "the account has no credit left."),
        (refusal(429, Retry_After="86400"), "asks to wait 86,400 seconds; ask again later."),
    ],
)  # fmt: skip
def test_what_is_refused_to_all_is_not_tried_again(reply: Scripted, said: str) -> None:
    failed, server, time = asked([reply])
    assert isinstance(failed, EndpointUseless)
    assert said in str(failed)
    assert (len(server.asked), time.slept) == (1, [])


def test_a_text_that_is_too_long_is_refused_for_one_request_alone() -> None:
    failed, server, _ = asked([refusal(400, "maximum context length is 8192 tokens")])
    assert isinstance(failed, EndpointFailed)
    assert not isinstance(failed, EndpointUseless)
    assert "refused with status 400 (maximum context length is 8192 tokens); if the text is too long" in str(failed)
    assert len(server.asked) == 1


def test_the_key_is_sent_and_stands_nowhere_else(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    environment = {"OPENAI_API_KEY": f" {KEY}\n"}
    long = "x" * 280 + f" your key {KEY} is wrong"
    said = []
    for replies in ([refusal(500, f"bad {KEY}"), completion(f"the key is {KEY}")], [refusal(401, f"bad {KEY}")],
                    [refusal(400, long)], [refusal(401, f"Incorrect: {KEY[:8]}****{KEY[-4:]}")]):  # fmt: skip
        found, server, _ = asked(replies, environment=environment)
        assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
        said += [repr(found), str(found)]
        if isinstance(found, EndpointFailed):
            said += ["".join(traceback.format_exception(found)), repr(pickle.dumps(found))]
    with ChatClient(Endpoint(base_url="http://127.0.0.1:9/v1", model="m"), environment=environment) as client:
        said += [repr(client), repr(client.redacted), repr(pickle.dumps(client.redacted)), repr(client.endpoint)]
    everything = "\n".join([*said, caplog.text])
    assert KEY not in everything
    assert KEY[:11] not in everything
    assert "the key is [redacted]" in everything


@pytest.mark.parametrize("key", ["sk-a\r\nX-Evil: 1", "sk-ключ", "two words"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(key: str) -> None:
    endpoint = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", api_key_env="MY_KEY")
    with pytest.raises(InvalidOption) as caught:
        ChatClient(endpoint, environment={"MY_KEY": key})
    assert str(caught.value) == (
        "The API key in MY_KEY holds spaces or characters that no header can hold; set it anew."
    )


def test_a_key_is_not_sent_in_clear_to_another_machine() -> None:
    far = "http://model.example/v1"
    with pytest.raises(InvalidOption, match=r"would go to http://model\.example/v1 in clear; use https"):
        Endpoint(base_url=far, model="m").api_key({"OPENAI_API_KEY": KEY})
    assert Endpoint(base_url=far, model="m", api_key_env=None).api_key({"OPENAI_API_KEY": KEY}) is None
    assert Endpoint(base_url=far, model="m", key_in_clear=True).api_key({"OPENAI_API_KEY": KEY}) == KEY
    assert Endpoint(base_url="https://model.example/v1", model="m").api_key({"OPENAI_API_KEY": KEY}) == KEY


@pytest.mark.parametrize(
    "url", ["https://me:pass1234@host/v1", "https://host/v1?key=pass1234", "https://host/v1#pass1234"]
)
def test_an_address_with_a_secret_is_refused_without_being_shown(url: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        Endpoint(base_url=url, model="m")
    assert "put the API key in an environment variable that api_key_env names" in str(caught.value)
    assert "pass1234" not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"base_url": "ftp://host"}, "base_url is no address of a server; give the address before /chat/completions"),
        ({"base_url": "http://"}, "base_url is no address of a server"),
        ({"base_url": "http://a b/v1"}, "base_url is no address of a server"),
        ({"base_url": "http://host:99999/v1"}, "base_url is no address of a server"),
        ({"base_url": 7}, "base_url is of type int"),
        ({"model": ""}, "model is ''; give a name."),
        ({"tries": 0}, "tries is 0; give a whole number from 1 to 20."),
        ({"parallel": True}, "parallel is True; give a whole number from 1 to 64."),
        ({"per_minute": 0}, "per_minute is 0; give a number above 0"),
        ({"timeout_seconds": float("nan")}, "timeout_seconds is nan; give a number above 0, at most 86,400."),
        ({"length_field": "n"}, "length_field is 'n'; give one of max_tokens, max_completion_tokens."),
    ],
)
def test_an_option_out_of_its_range_is_refused(option: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidOption) as caught:
        Endpoint(**{"base_url": "http://127.0.0.1:1/v1", "model": "m", **option})
    assert said in str(caught.value)


def test_no_more_calls_are_made_at_once_than_allowed() -> None:
    with ChatServer(lambda _: completion("yes")).running() as server:
        endpoint = Endpoint(base_url=server.base_url, model="m", parallel=2)
        with ChatClient(endpoint, environment={}) as client, ThreadPoolExecutor(6) as pool:
            found = list(pool.map(lambda _: client.complete(HELLO).text, range(12)))
    assert found == ["yes"] * 12
    assert server.most_at_once <= 2


def test_calls_are_spread_over_the_minute() -> None:
    time = Time()
    pacer = Pacer(30, clock=time.clock, sleep=time.sleep)
    for _ in range(4):
        pacer.wait()
    assert time.slept == [2.0, 2.0, 2.0]
    pacer.hold(9.0)
    pacer.wait()
    assert time.slept[3:] == [9.0]


def test_a_date_to_retry_after_is_understood() -> None:
    assert asked_pause("Thu, 01 Jan 1970 00:01:00 GMT", 50.0) == 10.0
    assert [asked_pause(text, 0.0) for text in (None, "", "-3", "soon", "٣")] == [None] * 5


def test_a_call_that_might_cost_too_much_is_not_made() -> None:
    most = most_usage(HELLO, 1024)
    assert most.tokens_in >= len("年度 hello".encode())
    account = Account(Ceiling(most_tokens=most.tokens + 9))
    with (
        ChatServer([completion("yes", usage=(7, 3)), completion("no")]).running() as server,
        ChatClient(Endpoint(base_url=server.base_url, model="m"), account, environment={}) as client,
    ):
        assert client.complete(HELLO).text == "yes"
        with pytest.raises(CostCeiling) as caught:
            client.complete(HELLO)
    assert str(caught.value) == (
        f"The next call may take {most.tokens:,} tokens, and {most.tokens - 1:,} of most_tokens={most.tokens + 9:,} "
        "are left; what was asked so far is remembered: raise the ceiling and ask again, or ask fewer requests."
    )
    assert len(server.asked) == 1
    assert account.spent.to_dict() == {"calls": 1, "tokens": 10, "cost": 0.0}


def test_money_is_counted_by_the_prices() -> None:
    account = Account(Ceiling(most_cost=1.0, price_in=2.0, price_out=8.0))
    asked([completion("yes", usage=(1_000, 500))], account=account)
    assert account.spent.cost == pytest.approx(0.006)
    poor = Account(Ceiling(most_cost=0.001, price_in=2.0, price_out=8.0))
    with pytest.raises(CostCeiling, match=r"may cost 0\.00\d+, and 0\.001 of most_cost=0\.001 is left"):
        asked([], account=poor)
    with pytest.raises(InvalidOption, match="most_cost needs to know what tokens cost"):
        Ceiling(most_cost=1.0, price_in=2.0)


def test_what_the_server_does_not_count_costs_all_that_it_can() -> None:
    most = most_usage(HELLO, 1024).tokens
    account = Account()
    found, _, _ = asked([completion("yes", usage=None)], account=account)
    assert isinstance(found, Reply)
    assert found.usage is None
    assert account.spent.tokens == most
    broken = Account()
    asked([Scripted(b'{"choi', fault="cut"), refusal(500), completion("yes", usage=(7, 3))], account=broken)
    assert broken.spent.to_dict() == {"calls": 3, "tokens": most + 10, "cost": 0.0}


def test_calls_at_once_stay_below_the_ceiling_together() -> None:
    account = Account(Ceiling(most_tokens=250))
    account.reserve(Usage(100, 20))
    account.reserve(Usage(100, 20))
    with pytest.raises(CostCeiling, match="may take 120 tokens, and 10 of most_tokens=250 are left"):
        account.reserve(Usage(100, 20))
    account.settle(Usage(100, 20), Usage(30, 5))
    account.reserve(Usage(80, 10))


def test_half_a_surrogate_pair_is_sent_as_a_question_mark() -> None:
    with (
        ChatServer([completion("\ud800 yes")]).running() as server,
        ChatClient(Endpoint(base_url=server.base_url, model="m"), environment={}) as client,
    ):
        found = client.complete([{"role": "user", "content": "a \ud83d b"}])
    assert server.asked[0]["messages"][0]["content"] == "a ? b"
    found.text.encode("utf-8")


def test_without_httpx_the_install_line_is_named() -> None:
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from workbench.workload.endpoint.client import ChatClient\n"
        "from workbench.workload.endpoint import Endpoint\n"
        "ChatClient(Endpoint(base_url='http://127.0.0.1:9/v1', model='m'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.strip().endswith(
        "To ask an endpoint the package httpx is needed; pip install 'sparseread-workbench[endpoint]'."
    )


def test_the_body_is_json_that_the_server_can_read() -> None:
    _, server, _ = asked([completion("yes")], max_answer_tokens=5, length_field="max_completion_tokens")
    assert json.loads(json.dumps(server.asked[0]))["max_completion_tokens"] == 5
    assert "max_tokens" not in server.asked[0]
