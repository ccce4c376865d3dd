function spin(ms) { let x = 1; const end = performance.now() + ms; while (performance.now() < end) for (let i = 0; i < 1e4; i++) x = (x * 1103 + 12345) % 65521; return x; }
function layout() { const list = document.getElementById("list"); for (let i = 0; i < 400; i++) list.appendChild(document.createElement("div")).textContent = "row " + i; return list.offsetHeight; }
document.getElementById("save").addEventListener("click", function onSave() {
  performance.mark("save begins");
  spin(120); layout();
  performance.measure("save", "save begins");
});
setTimeout(function later() { spin(80); const garbage = []; for (let i = 0; i < 3e5; i++) garbage.push({ i }); }, 300);
