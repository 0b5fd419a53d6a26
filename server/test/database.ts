/** The same server, another database. */
export function onDatabase(connectionString: string, name: string): string {
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return url.href
}

/** Serves in tests, as it does in the product: everything but the tests' own looks behind the scenes goes through this role. */
export const serving = 'keyturn_app'

/** The same database, as the role that serves. */
export function asServing(connectionString: string): string {
  const url = new URL(connectionString)
  url.username = serving
  url.password = serving
  return url.href
}
