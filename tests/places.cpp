#include "tests/places.h"

namespace tests {

const std::string& source_root() {
    static const std::string root = TEST_SOURCE_ROOT;
    return root;
}

const std::string& binary_root() {
    static const std::string root = TEST_BINARY_ROOT;
    return root;
}

}  // namespace tests
