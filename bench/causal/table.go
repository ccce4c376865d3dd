package causal

func (r *Report) Table() string { return "" }
