// User timing: the page's own marks and measures.
import { now } from "./guard";
import { observeEntries, type Rate, type Source } from "./entries";
import { plain, tidy, type See } from "./found";

export function followTiming(rate: Rate, see: See): Source[] {
  const follow = (what: "mark" | "measure") =>
    observeEntries<PerformanceEntry & { detail?: unknown }>(what, ({ name, startTime, duration, detail }) => {
      if (!rate.admits(now())) return;
      const said = typeof detail === "string" || typeof detail === "number" ? plain(detail) : undefined;
      const found = tidy({ what, name, time: startTime, duration });
      see(said ? { ...found, detail: said } : found);
    });
  return [follow("mark"), follow("measure")].filter((source) => source !== undefined);
}
