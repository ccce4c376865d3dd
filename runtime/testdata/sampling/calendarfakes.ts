// A wall clock that is set while the machine runs. It must be imported before what is tested.

let set: number | undefined;
const { now } = Date;

/** Has the wall clock stand at a time, in milliseconds since 1970. */
export function setCalendar(time: number) {
  set = time;
}

Date.now = () => set ?? now();
