// Ports of this machine without a listener. All below the range out of which the kernel takes ports for outgoing
// connections: one of those could be taken while a part of the stack is down for a moment.
#pragma once

namespace baton::stack {

// `wanted` if it is free, else any. 0: any.
int FreePort(int wanted = 0);
// The first of `count` ports in a row. Which of them are free is left to who takes them one by one.
int PortRangeStart(int count);

}  // namespace baton::stack
