// Texts of the kernel as they are read: a hyphen before a number, or between two terms, is a minus.

export const withMinus = (text) => text?.replace(/(^|[\s(])-(?=[\s\d.])/g, "$1\u2212");
