export function* words(text) {
  let word = '';
  for (const c of text.toLowerCase()) {
    if (c >= 'a' && c <= 'z') {
      word += c;
      continue;
    }
    if (word) {
      yield word;
    }
    word = '';
  }
  if (word) {
    yield word;
  }
}

export function isVowel(c) {
  return 'aeiou'.includes(c);
}
