$(function () {
  $("#list").fill({ one: 1, two: 2, three: shared[0] }, $("#template").html());
  note("list " + $("#list b").sum() + " " + f + c + $f);
  $("#list").on("click", ".item", function (event) {
    for (var at = event.target, path = []; at !== event.delegateTarget; at = at.parentNode) path.push(at.nodeName);
    $(this).toggleClass("chosen");
    note("clicked " + path.join("<"));
  });
});
