// Alone in its module: neither import nor export says that it is one.
onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    let reversed = '';
    for (const letter of data) reversed = letter + reversed;
    port.postMessage(reversed + (reversed === data));
  };
};
