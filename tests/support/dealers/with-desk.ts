import { openDesk } from '../../../server/modules/dealers/desk/desk.ts'
import { keepSecret } from '../secrets.ts'
import type { TestServer } from '../test-server.ts'

/** Enables the built-in dealer desk. */
export function withDesk(server: TestServer) {
  const desk = openDesk(server.deps.config)
  if (!desk) throw new Error('There is no desk')
  keepSecret(desk.key)
  server.deps.desk = desk
  return desk
}
