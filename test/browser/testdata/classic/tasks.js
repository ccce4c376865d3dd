function* count(limit) {
  for (let i = 0; i < limit; i++) {
    const sent = yield i;
    if (sent) say('sent', sent);
  }
  return 'counted';
}

const later = (task) =>
  new Promise((resolve, reject) =>
    setTimeout(() => {
      try {
        resolve(task());
      } catch (error) {
        reject(error);
      }
    }, 1),
  );

function busy(turns) {
  let sum = 0;
  outer: for (let i = 0; i < turns; i++) {
    let j = i;
    do {
      if (j % 7 === 3) continue outer;
      sum += j--;
    } while (j > 0 && sum % 5);
  }
  return sum;
}

async function tasks() {
  say('busy', busy(1e4));
  say('generator', ...count(3));
  const steps = count(2);
  steps.next();
  say('step', steps.next('word').value, steps.return('early').value);
  say('later', await later(() => busy(100)));
  await new Promise((resolve) => nextMessage(resolve));
  const order = [];
  setTimeout(() => order.push('timeout'), 0);
  queueMicrotask(() => order.push('microtask'));
  order.push('now');
  await later(() => later(() => {}));
  say('order', ...order);
  try {
    await later(() => null.property);
    say('unreachable');
  } catch (error) {
    say(error.name);
  }
}

function nextMessage(done) {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    channel.port1.close();
    done();
  };
  channel.port2.postMessage(null);
}
