// Lets Ctrl-C end long work that has released the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>

namespace philidor::bindings {

// Asked often, looks at Python's signals ten times a second. Throws what their handlers raise, such as
// KeyboardInterrupt. Python handles signals in its main thread only; in any other this does nothing.
class SignalWatch {
  public:
    void operator()() {
        const auto now = Clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        nanobind::gil_scoped_acquire acquire;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(100);
};

}  // namespace philidor::bindings
