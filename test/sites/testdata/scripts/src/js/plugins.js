/*! plugins */
;(function ($) {
  "use strict";
  $.fn.fill = function (items, template) {
    var html = "";
    $.each(items, function (name, value) {
      html += template.replace(/\{\{(\w+)\}\}/g, function (_, key) {
        return key === "name" ? name : value;
      });
    });
    return this.html(html);
  };
  $.expr.pseudos.odd2 = function (element, index) { return index % 2 === 1; };
  $.fn.sum = function () {
    var sum = 0;
    this.each(function () { sum += +$(this).text(); });
    return sum;
  };
}(jQuery));
var f = "a name that minifiers like", c = 2, $f = 3
