const words = [];

function answer(word) {
  words.push(word);
  let text = '';
  for (const w of words) text += w;
  return text;
}

onconnect = (event) => {
  const [port] = event.ports;
  port.onmessage = ({ data }) => port.postMessage(answer(data));
};
