import { createDesk } from '../../../server/modules/dealers/desk/desk.ts'
import { recordSecret } from '../secrets.ts'
import type { TestServer } from '../test-server.ts'

/** Enables the built-in dealer desk. */
export function enableDesk(server: TestServer) {
  const desk = createDesk(server.deps.config)
  if (!desk) throw new Error('There is no desk')
  recordSecret(desk.key)
  server.deps.desk = desk
  return desk
}
