package httpapi

func (a *api) getProcessing(c *call) error {
	if err := c.ignoreParams(); err != nil {
		return err
	}
	s, err := a.stored(c)
	if err != nil {
		return err
	}
	c.send(200, append(s.AppendProcessing([]byte(`{"processing":`), c.start), '}'))
	return nil
}
