package spool

import "fmt"

const (
	trialName = "trial"
	trialSize = 64 << 10 // bytes
)

// Ready says why records cannot be appended now, or soon. After some could not be written it tries whether there
// is room again: nobody sends to a collector that is not ready, so no other record would tell.
func (s *Spool) Ready() error {
	s.mu.Lock()
	waiting, failing := s.waiting(), s.failing
	s.mu.Unlock()
	switch {
	case waiting > s.options.Bytes/10*9:
		return fmt.Errorf("the spool is nearly full: %d bytes wait to be consumed", waiting)
	case !failing:
		return nil
	}
	if err := s.try(); err != nil {
		return fmt.Errorf("the spool cannot be written: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = false
	return nil
}

// try writes a file and removes it.
func (s *Spool) try() error {
	_ = s.files.Remove(trialName) // which a crash has left
	file, err := s.files.Create(trialName)
	if err != nil {
		return err
	}
	if _, err = file.WriteAt(make([]byte, trialSize), 0); err == nil {
		err = file.Sync()
	}
	_ = file.Close()
	_ = s.files.Remove(trialName)
	return err
}
