declare module 'pg/lib/utils.js' {
  const utils: {
    /** What goes over the wire for a value: null, text, or bytes. */
    prepareValue(value: unknown): string | Buffer | null
  }
  export default utils
}
