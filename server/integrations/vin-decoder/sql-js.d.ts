/** The part of sql.js that the VIN worker uses; the package has no types. */
declare module 'sql.js' {
  export type Database = {
    exec(sql: string): { columns: string[]; values: unknown[][] }[]
    close(): void
  }
  export default function initSqlJs(): Promise<{ Database: new (file: Uint8Array) => Database }>
}
