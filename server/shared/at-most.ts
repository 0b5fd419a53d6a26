/** Waits for the work, but no longer than `ms`: then answers undefined while the work goes on. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
