// The views, in the order of their links.
import { budgets } from "./budgets";
import { compare } from "./compare";
import { example, examples } from "./examples";
import { functions } from "./functions";
import { overview } from "./overview";
import type { Content, Page } from "./parts";
import { profile } from "./profile";
import { slice } from "./slice";
import { slow } from "./slow";
import { trend } from "./trend";

export interface View {
  /** In addresses. */
  name: string;
  title: string;
  show(page: Page): Content;
  /** It is opened from another view, and has no link of its own. */
  isPart?: boolean;
  /** The views that are opened from it. */
  within?: string[];
}

export const views: View[] = [
  { name: "overview", title: "Overview", show: overview },
  { name: "profile", title: "Profile", show: profile },
  { name: "functions", title: "Functions", show: functions, within: ["trend"] },
  { name: "trend", title: "Trend", show: trend, isPart: true },
  { name: "compare", title: "Compare", show: compare },
  { name: "slow", title: "Slow", show: slow, within: ["slice"] },
  { name: "slice", title: "Slow moment", show: slice, isPart: true },
  { name: "examples", title: "Examples", show: examples, within: ["example"] },
  { name: "example", title: "Example", show: example, isPart: true },
  { name: "budgets", title: "Budgets", show: budgets },
];
