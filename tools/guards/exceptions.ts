/**
 * Guards that nothing need notice alone, each with its reason. One that is there twice on purpose names its twin: both
 * are taken away together, and that must be noticed.
 */
export type Exception = { guard: string; why: string; twin?: string }

export const exceptions: readonly Exception[] = []
