export interface ViewEvent {
  readonly type: string;
  readonly native: Event;
  stopped: boolean;
}
export function mount(root: Element, listeners: Record<string, (event: ViewEvent) => void>): void;
