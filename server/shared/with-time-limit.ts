/** Waits for the work for at most `ms`; then returns undefined while the work continues. */
export async function withTimeLimit<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
