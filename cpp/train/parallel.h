// Work shared by a few threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <thread>
#include <vector>

namespace philidor::train {

// Runs `work(begin, end)` over parts of 0 .. count, one to a thread.
template <typename Work>
void in_parallel(std::size_t count, int threads, Work work) {
    const std::size_t parts = std::clamp<std::size_t>(std::size_t(threads), 1, std::max<std::size_t>(count, 1));
    std::vector<std::thread> workers;
    for (std::size_t part = 1; part < parts; ++part)
        workers.emplace_back([=] { work(count * part / parts, count * (part + 1) / parts); });
    work(0, count / parts);
    for (std::thread& worker : workers) worker.join();
}

}  // namespace philidor::train
