// The API of the collector. Addresses are relative, so that a proxy may serve all of it below a
// prefix.
import { pairs, type State } from "./state";

/** An answer that is not a success. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Parameters of a question. Those that are "" or false are left out; null is sent, empty. */
export type Query = Record<string, string | number | boolean | null>;

/** The parameters that all questions about a selection have in common. */
export function selection(state: State, query: Query = {}): URLSearchParams {
  const words = new URLSearchParams({ app: state.app, from: state.from, to: state.to });
  for (const [label, value] of pairs(state.where)) words.append("where", `${label}:${value}`);
  if (state.slow) words.set("slow", "1");
  return adding(words, query);
}

/** The same for questions that only need an app. */
export const ofApp = (state: State, query: Query = {}) => adding(new URLSearchParams({ app: state.app }), query);

function adding(words: URLSearchParams, query: Query): URLSearchParams {
  for (const [key, value] of Object.entries(query)) {
    if (value === true) words.set(key, "1");
    else if (value !== false && value !== "") words.set(key, value === null ? "" : String(value));
  }
  return words;
}

export const addressFor = (path: string, words: URLSearchParams) => `api/v1/${path}?${words}`;

export async function ask<Answer>(path: string, words: URLSearchParams, signal?: AbortSignal): Promise<Answer> {
  return (await (await fetched(addressFor(path, words), { signal })).json()) as Answer;
}

export async function askText(path: string, words: URLSearchParams, signal?: AbortSignal): Promise<string> {
  return (await fetched(addressFor(path, words), { signal })).text();
}

async function fetched(address: string, options: RequestInit): Promise<Response> {
  const response = await fetch(address, { credentials: "same-origin", ...options });
  if (response.ok) return response;
  const text = await response.text().catch(() => "");
  throw new ApiError(errorIn(text) || `the collector answered ${response.status}`, response.status);
}

function errorIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : "";
  } catch {
    return "";
  }
}

/** Exchanges a token for a cookie that scripts cannot read. */
export async function signIn(token: string) {
  await fetched("api/v1/session", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
}

export async function signOut() {
  await fetched("api/v1/session", { method: "DELETE" });
}
