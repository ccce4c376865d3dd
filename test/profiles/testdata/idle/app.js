// Works a twentieth of the time, in timers and event handlers whose outermost
// function only forwards, and so carries no checks under most presets.
const worked = { timer: 0, click: 0, message: 0 };
const button = document.querySelector('button');
const channel = new MessageChannel();

function spin(kind, milliseconds) {
  let x = 1;
  const began = performance.now();
  while (performance.now() - began < milliseconds) {
    for (let i = 0; i < 200; i++) x = (x * 1103 + 12345) % 65521;
  }
  worked[kind] += performance.now() - began;
  return x;
}

function timerHandler() { spin('timer', 2); }
function clickHandler() { spin('click', 2); }
function messageHandler() { spin('message', 2); }

button.addEventListener('click', () => clickHandler());
channel.port1.onmessage = () => messageHandler();

/** Every 120 ms on average: 2 ms in a timer, 2 in a click, 2 in a message. */
async function live(milliseconds) {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    await wait(30 + 20 * Math.random());
    setTimeout(() => timerHandler());
    await wait(30 + 20 * Math.random());
    button.click();
    await wait(30 + 20 * Math.random());
    channel.port2.postMessage(0);
  }
  return worked;
}
