// Loaded into a step before its program, through NODE_OPTIONS. Logs, at the first connection, for
// how long each address of a host is tried.
import net from 'node:net'

const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...given) {
  net.Socket.prototype.connect = connect
  console.log(`Each address is tried for ${net.getDefaultAutoSelectFamilyAttemptTimeout()} ms`)
  return connect.apply(this, given)
}
