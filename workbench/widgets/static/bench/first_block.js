// The first look at a document shows the block of its highest priority, with the calculation behind it.

import { f64, u32, u8 } from "../shared/bytes.js";
import { HAS_TEXT } from "../shared/reading.js";

// Takes that block in hand when a document or a question comes, unless somebody has one in hand already.
export function followFirst(shell, model) {
  let own = -1;
  let question = null;
  const look = () => {
    const [asked, selected] = [model.get("question"), model.get("selected") ?? -1];
    const isNew = asked !== question;
    question = asked;
    if (!isNew || (selected >= 0 && selected !== own)) return;
    own = bestOf(model);
    if (own < 0 || own === selected) return;
    shell.bus.emit("select", { block: own, reveal: true }, shell);
    // A view of this document that is drawn later begins where the others are.
    model.set("selected", own);
    model.save_changes();
  };
  const other = () => {
    question = null;
    own = -1;
  };
  model.on("change:document_sequence", other);
  model.on("change:sequence", look);
  shell.ends(() => {
    model.off("change:document_sequence", other);
    model.off("change:sequence", look);
  });
  look();
}

// The block of the highest priority; of equal ones the first by `ties`, as everywhere. -1 where none is above zero.
function bestOf(model) {
  const [priority, ties, flags] = [f64(model.get("priority")), u32(model.get("ties")), u8(model.get("flags"))];
  let best = -1;
  for (let block = 0; block < priority.length; block += 1) {
    if (!(flags[block] & HAS_TEXT) || !(priority[block] > 0)) continue;
    const ahead = best < 0 || priority[block] > priority[best];
    if (ahead || (priority[block] === priority[best] && ties[block] < ties[best])) best = block;
  }
  return best;
}
