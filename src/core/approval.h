/*
 * Is a tool waiting for a person? A hook says so at once (PermissionRequest); where that hook is not registered, a tool
 * that takes longer than its kind ever does is the sign. For tools that may well run long, whether the agent has a
 * child process that is younger than the call decides.
 */
#pragma once

#include "core/apply.h"

/* A tool call began: watches it if it is of a kind that can be judged. */
void approval_watch(struct turn *t, struct span tool);

/* The call took too long. Decides, or asks for a probe. */
void approval_due(struct turn *t);

/* The probe's answer: with a running child the tool works and does not wait. */
void approval_probed(struct turn *t, bool has_child);
