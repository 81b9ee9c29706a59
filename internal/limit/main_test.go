package limit

import (
	"testing"

	"github.com/kinebase/kinebase/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }
