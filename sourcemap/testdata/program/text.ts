const words = new Map<string, string>([["größer 🦒", "taller"]]);

export const greet = (word: string): string => "👋 " + (words.get(word) ?? word);
