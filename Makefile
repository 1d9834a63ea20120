# Builds Steelyard with GNU make. Nothing here names a source file: every src/*.c, tests/*.c and
# experiments/variants/*.json is taken as it comes.
#
#   make [CONFIG=release|debug|asan|tsan] [CC=clang] [WERROR=1] [V=1] [TARGET]
#
# Each CONFIG has a directory of its own, build/CONFIG, which holds the library libsteelyard.a, the program steelyard
# and the test runner tests/run-tests.

VERSION := 0.1.0

CONFIG  ?= release
BUILD   ?= build/$(CONFIG)
PREFIX  ?= /usr/local
DESTDIR ?=

PKG_CONFIG   ?= pkg-config
CLANG_FORMAT ?= clang-format

# -- flags ------------------------------------------------------------------------------------------------------------

# Results must not depend on the machine that computed them: no -ffast-math, and no fused multiply-add where the source
# has a product and a sum. The instruction set changes speed alone, so a release uses this machine's own where the
# compiler can name it; ARCH=x86-64 (or any other) builds for all machines of a kind.
ARCH ?= native
ARCH_FLAG     := $(shell echo | $(CC) -march=$(ARCH) -E - >/dev/null 2>&1 && echo -march=$(ARCH))
FLAGS_release := -O3 -g $(ARCH_FLAG)
FLAGS_debug   := -O0 -g3
FLAGS_asan    := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FLAGS_tsan    := -O1 -g -fsanitize=thread -fno-omit-frame-pointer

ifndef FLAGS_$(CONFIG)
$(error CONFIG=$(CONFIG) is none of release, debug, asan, tsan)
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            $(if $(WERROR),-Werror)

PACKAGES      := gsl libcjson libmd
TEST_PACKAGES := cunit
INSTALL_HINT  := run scripts/install-dependencies

# Asked only when something is to be compiled.
NO_COMPILING := clean format format-check
ifneq ($(filter-out $(NO_COMPILING),$(or $(MAKECMDGOALS),all)),)
ifneq ($(shell $(PKG_CONFIG) --exists $(PACKAGES) && echo found),found)
$(error $(PKG_CONFIG) does not find all of $(PACKAGES): $(INSTALL_HINT))
endif
PACKAGE_CFLAGS := $(shell $(PKG_CONFIG) --cflags $(PACKAGES))
PACKAGE_LIBS   := $(shell $(PKG_CONFIG) --libs $(PACKAGES))
TEST_CFLAGS    := $(shell $(PKG_CONFIG) --cflags $(TEST_PACKAGES) 2>/dev/null)
TEST_LIBS      := $(shell $(PKG_CONFIG) --libs $(TEST_PACKAGES) 2>/dev/null || echo -lcunit)
endif

BASE_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -pthread $(FLAGS_$(CONFIG)) $(WARNINGS)
ALL_CFLAGS  := $(BASE_CFLAGS) -Iinclude $(PACKAGE_CFLAGS) $(CPPFLAGS) $(CFLAGS)
ALL_LDFLAGS := -pthread $(FLAGS_$(CONFIG)) $(CFLAGS) $(LDFLAGS)
ALL_LIBS    := $(PACKAGE_LIBS) -lm

# -- files ------------------------------------------------------------------------------------------------------------

LIBRARY := $(BUILD)/libsteelyard.a
PROGRAM := $(BUILD)/steelyard
RUNNER  := $(BUILD)/tests/run-tests

SOURCES         := $(sort $(wildcard src/*.c))
LIBRARY_OBJECTS := $(patsubst src/%.c,$(BUILD)/%.o,$(filter-out src/main.c,$(SOURCES))) \
                   $(BUILD)/variants_data.o $(BUILD)/version.o
MAIN_OBJECT     := $(BUILD)/main.o
TEST_SOURCES    := $(sort $(wildcard tests/*.c))
TEST_OBJECTS    := $(patsubst tests/%.c,$(BUILD)/tests/%.o,$(TEST_SOURCES))
FAST_SUITES     := $(patsubst tests/%.c,%_suite,$(filter tests/test_%,$(TEST_SOURCES)))
LONG_SUITES     := $(patsubst tests/%.c,%_suite,$(filter tests/long_%,$(TEST_SOURCES)))
VARIANTS        := $(sort $(wildcard experiments/variants/*.json))
FORMATTED       := $(wildcard src/*.[ch] include/steelyard/*.h tests/*.[ch])

# -- targets ----------------------------------------------------------------------------------------------------------

.PHONY: all debug asan tsan test check-long check-asan check-tsan weigh bench format format-check clean install FORCE
.DELETE_ON_ERROR:

all: $(PROGRAM)
ifeq ($(BUILD),build/release)
all: steelyard
endif

steelyard: $(PROGRAM)
	@ln -sf $(PROGRAM) $@

debug asan tsan:
	$(MAKE) CONFIG=$@ BUILD=build/$@ all

test: $(PROGRAM) $(RUNNER)
	@STEELYARD=$(abspath $(PROGRAM)) sh tests/run.sh fast $(RUNNER)

check-long: $(PROGRAM) $(RUNNER)
	@STEELYARD=$(abspath $(PROGRAM)) sh tests/run.sh long $(RUNNER)

check-asan check-tsan:
	$(MAKE) CONFIG=$(@:check-%=%) BUILD=build/$(@:check-%=%) test

weigh: all
	$(PROGRAM) run experiments/sunflower-quick.json -o weigh-sunflower --resume

bench: all
	$(PROGRAM) bench

format:
	$(CLANG_FORMAT) -i $(FORMATTED)

format-check:
	$(CLANG_FORMAT) --dry-run -Werror $(FORMATTED)

clean:
	rm -rf build steelyard

install: $(PROGRAM)
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/steelyard

# -- rules ------------------------------------------------------------------------------------------------------------

# With V=1 the commands are shown in full.
Q := $(if $(V),,@)

$(PROGRAM): $(MAIN_OBJECT) $(LIBRARY)
	@echo '  link    $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(RUNNER): $(TEST_OBJECTS) $(LIBRARY) $(BUILD)/tests/objects
	@echo '  link    $@'
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $(TEST_OBJECTS) $(LIBRARY) $(TEST_LIBS) $(ALL_LIBS)

# Made anew rather than updated, so that no member outlives its source.
$(LIBRARY): $(LIBRARY_OBJECTS) $(BUILD)/objects
	@echo '  archive $@'
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $(LIBRARY_OBJECTS)

$(BUILD)/%.o: src/%.c $(BUILD)/flags
	@echo '  compile $<'
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/%.o: $(BUILD)/%.c $(BUILD)/flags
	@echo '  compile $<'
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags $(BUILD)/tests/suites.h
	@echo '  compile $<'
	$(Q)$(CC) $(ALL_CFLAGS) $(TEST_CFLAGS) -include $(BUILD)/tests/suites.h -MMD -MP -c -o $@ $<

# The files below are asked for at every run of make, and touched only when what they say has changed:
# $(call write,COMMANDS) puts the commands' output into the target under that rule.
define write
@mkdir -p $(@D)
@{ $(1); } > $@.$$$$ && if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi || { rm -f $@.$$$$; exit 1; }
endef

$(BUILD)/flags: FORCE
	$(call write,$(CC) --version && echo '$(ALL_CFLAGS) $(TEST_CFLAGS) $(ALL_LDFLAGS) $(ALL_LIBS)')

$(BUILD)/objects: FORCE
	$(call write,echo $(LIBRARY_OBJECTS))

$(BUILD)/tests/objects: FORCE
	$(call write,echo $(TEST_OBJECTS))

$(BUILD)/variants_data.c: FORCE
	$(call write,scripts/embed $(VARIANTS))

$(BUILD)/version.c: FORCE
	$(call write,scripts/version $(VERSION))

$(BUILD)/tests/suites.h: FORCE
	$(call write,scripts/list-suites $(FAST_SUITES) $(LONG_SUITES))

-include $(LIBRARY_OBJECTS:.o=.d) $(MAIN_OBJECT:.o=.d) $(TEST_OBJECTS:.o=.d)
