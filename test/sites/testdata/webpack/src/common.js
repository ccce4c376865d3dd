const { sort } = require('./sort');

onmessage = function ({ data }) {
  postMessage(sort(data).join('<'));
};
