// Package view answers questions about a profile: which functions the time went
// to, and how far the numbers can be trusted.
//
// Views take attributed profiles: the time of a sample belongs to the frame on
// top of its stack (see profile.Attribute). Names and files come from the
// programs profiled, which may be hostile: everything written for a terminal
// goes through Printable first.
package view
