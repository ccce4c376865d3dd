// The browser, the device and the network as envelopes have them. Everything is a short
// word or a class that very many users share, so that together they identify no user.

interface Data {
  brands?: { brand?: unknown; version?: unknown }[];
  mobile?: unknown;
}

export interface Device {
  kind: "mobile" | "tablet" | "desktop";
  /** At least this many gigabytes, and processors; absent if the browser does not tell. */
  memory?: 1 | 2 | 4 | 8;
  cores?: 1 | 2 | 4 | 8;
}

/** The hints that a realm gives about itself; a part of Navigator. */
export interface Hints {
  userAgent?: unknown;
  userAgentData?: Data;
  maxTouchPoints?: unknown;
  deviceMemory?: unknown;
  hardwareConcurrency?: unknown;
  connection?: { effectiveType?: unknown };
}

/** Tokens of user agents and what they mean; the first that is found counts, since later ones claim to be others. */
const tokens: [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d{1,4})/, "Edge"],
  [/\bOPR\/(\d{1,4})/, "Opera"],
  [/\bSamsungBrowser\/(\d{1,4})/, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d{1,4})/, "Chrome"],
  [/\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//, "Safari"],
];

/** Names of brands as user agents have them. */
const brands: Record<string, string> = { "Google Chrome": "Chrome", HeadlessChrome: "Chrome", "Microsoft Edge": "Edge" };

/** The browser and its major version: "Firefox 153". Undefined if it is not one of those that many people use. */
export function browserOf({ userAgent, userAgentData }: Hints): string | undefined {
  const known = new Set(tokens.map(([, name]) => name));
  for (const { brand, version } of listOf(userAgentData?.brands)) {
    const name = brands[String(brand)] || String(brand);
    if (known.has(name) && /^\d{1,4}$/.test(String(version))) return `${name} ${version}`;
  }
  for (const [pattern, name] of tokens) {
    const found = pattern.exec(String(userAgent));
    if (found) return `${name} ${found[1]}`;
  }
  return undefined;
}

function listOf<T>(list: T[] | undefined): T[] {
  return Array.isArray(list) ? list.slice(0, 10) : [];
}

/** The class of the device. */
export function deviceOf({ userAgent, userAgentData, maxTouchPoints, deviceMemory, hardwareConcurrency }: Hints): Device {
  const agent = String(userAgent);
  const device: Device = { kind: "desktop" };
  // An iPad says that it is a Macintosh, which has no touch screen.
  if (/\biPad\b|\bTablet\b|\bAndroid\b(?!.*\bMobile\b)/.test(agent) || (/\bMacintosh\b/.test(agent) && (maxTouchPoints as number) > 1)) device.kind = "tablet";
  else if (userAgentData?.mobile === true || /\bMobi/.test(agent)) device.kind = "mobile";
  const memory = classOf(deviceMemory);
  const cores = classOf(hardwareConcurrency);
  if (memory) device.memory = memory;
  if (cores) device.cores = cores;
  return device;
}

function classOf(value: unknown): 1 | 2 | 4 | 8 | undefined {
  return typeof value === "number" && value > 0 ? ([8, 4, 2] as const).find((least) => value >= least) || 1 : undefined;
}

/** The kind of network, as the browser estimates it: "3g" or "4g". */
export function connectionOf({ connection }: Hints): string | undefined {
  const type = connection?.effectiveType;
  return typeof type === "string" && /^(?:slow-)?[2-9]g$/.test(type) ? type : undefined;
}
