/**
 * Guards that nothing need notice alone, each with its reason. One that is there twice on purpose names its twin: both
 * are taken away together, and that must be noticed.
 */
export type Exception = { guard: string; why: string; twin?: string }

export const exceptions: readonly Exception[] = [
  {
    guard: 'limit contract/kit/fields.ts line: without .min(1)',
    why: 'An empty line has no letter to be seen either and is refused with the same sentence; the number is for readers of the OpenAPI document.',
  },
]
