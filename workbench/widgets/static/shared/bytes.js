// Arrays arrive as bytes; a view needs them aligned to the size of a number, so what is not is copied.

function typed(view, Type) {
  if (!view || !view.byteLength) return new Type(0);
  const size = Type.BYTES_PER_ELEMENT;
  const buffer = view.buffer ?? view;
  const offset = view.byteOffset ?? 0;
  if (offset % size === 0) return new Type(buffer, offset, view.byteLength / size);
  return new Type(buffer.slice(offset, offset + view.byteLength));
}

export const f32 = (view) => typed(view, Float32Array);
export const f64 = (view) => typed(view, Float64Array);
export const i32 = (view) => typed(view, Int32Array);
export const u32 = (view) => typed(view, Uint32Array);
export const u8 = (view) => typed(view, Uint8Array);

// (UTF-8 bytes, offsets of n + 1) -> a function that decodes the i-th text when it is asked for.
export function texts(bytes, offsets) {
  const decoder = new TextDecoder();
  const all = u8(bytes);
  const at = u32(offsets);
  return (i) => decoder.decode(all.subarray(at[i], at[i + 1]));
}
