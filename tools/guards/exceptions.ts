/**
 * Guards whose removal alone need not be noticed, each with its reason. A deliberately redundant guard names its twin:
 * both are removed together, and that must be noticed.
 */
export type Exception = { guard: string; why: string; twin?: string }

export const exceptions: readonly Exception[] = []
