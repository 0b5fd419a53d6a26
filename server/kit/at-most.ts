/** What this work gives, or undefined when it takes longer: it goes on then, and nobody waits for it. */
export async function atMost<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
