import { randomBytes } from 'node:crypto'

/** 24 hex digits, 96 random bits, not ordered by time: a car's link is only as private as its ids (R-everywhere-2). */
export const newId = (): string => randomBytes(12).toString('hex')
