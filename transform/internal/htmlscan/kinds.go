package htmlscan

import "strings"

// scriptTypes are the types that mean JavaScript; with parameters they do not.
var scriptTypes = map[string]bool{
	"application/ecmascript": true, "application/javascript": true, "application/x-ecmascript": true,
	"application/x-javascript": true, "text/ecmascript": true, "text/javascript": true, "text/javascript1.0": true,
	"text/javascript1.1": true, "text/javascript1.2": true, "text/javascript1.3": true, "text/javascript1.4": true,
	"text/javascript1.5": true, "text/jscript": true, "text/livescript": true, "text/x-ecmascript": true,
	"text/x-javascript": true,
}

// kindOf says what a browser does with a script that has these attributes, and
// returns the trimmed type.
func kindOf(typ, language *Attribute) (trimmed string, kind Kind) {
	effective := "text/javascript"
	switch {
	case typ != nil && typ.Value == "":
	case typ != nil:
		trimmed = lower(strings.Trim(typ.Value, space))
		effective = trimmed
	case language != nil && language.Value != "":
		effective = "text/" + lower(language.Value)
	}
	switch {
	case scriptTypes[effective]:
		return trimmed, Classic
	case effective == "module":
		return trimmed, Module
	case effective == "importmap":
		return trimmed, ImportMap
	case effective == "speculationrules":
		return trimmed, SpeculationRules
	}
	return trimmed, Data
}

// onLoad reports whether the attributes for and event mean the window's load, the
// one event for which a script runs.
func onLoad(target, event string) bool {
	event = lower(strings.Trim(event, space))
	return lower(strings.Trim(target, space)) == "window" && (event == "onload" || event == "onload()")
}

// urlAttributes are the attributes whose URL is gone to, by element.
var urlAttributes = map[string][]string{
	"a": {"href", "xlink:href"}, "area": {"href"}, "iframe": {"src"}, "frame": {"src"},
	"form": {"action"}, "button": {"formaction"}, "input": {"formaction"},
}

// handlers are the names of the attributes that hold an event handler.
var handlers = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`abort afterprint animationcancel animationend animationiteration animationstart
		auxclick beforecopy beforecut beforeinput beforematch beforepaste beforeprint beforetoggle beforeunload begin blur
		cancel canplay canplaythrough change click close command contentvisibilityautostatechange contextlost contextmenu
		contextrestored copy cuechange cut dblclick drag dragend dragenter dragleave dragover dragstart drop durationchange
		emptied end ended error focus focusin focusout formdata fullscreenchange fullscreenerror gotpointercapture
		hashchange input invalid keydown keypress keyup languagechange load loadeddata loadedmetadata loadstart
		lostpointercapture message messageerror mousedown mouseenter mouseleave mousemove mouseout mouseover mouseup
		mousewheel offline online orientationchange pagehide pagereveal pageshow pageswap paste pause play playing
		pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup
		popstate progress ratechange rejectionhandled repeat reset resize scroll scrollend scrollsnapchange
		scrollsnapchanging search securitypolicyviolation seeked seeking select selectionchange selectstart slotchange
		stalled storage submit suspend timeupdate toggle touchcancel touchend touchmove touchstart transitioncancel
		transitionend transitionrun transitionstart unhandledrejection unload volumechange waiting
		webkitanimationend webkitanimationiteration webkitanimationstart webkitfullscreenchange webkitfullscreenerror
		webkittransitionend wheel`) {
		m["on"+name] = true
	}
	return m
}()

// longestHandler is the length of the longest name in handlers.
var longestHandler = func() int {
	longest := 0
	for name := range handlers {
		longest = max(longest, len(name))
	}
	return longest
}()
