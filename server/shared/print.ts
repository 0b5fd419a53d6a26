/** Prints a line for the person who started the process. */
export const print = (line: string): void => void process.stdout.write(`${line}\n`)
