import { isPlausibleModelYear } from '@keyturn/contract/cars/rules.ts'
import { apiErrors } from '@keyturn/contract/shared/error.ts'
import { fieldTexts } from '@keyturn/contract/shared/fields.ts'

export function requireFittingYear(year: number): void {
  if (isPlausibleModelYear(year, new Date().getFullYear())) return
  throw apiErrors.ValidationError({
    message: fieldTexts.year,
    fields: [{ path: 'year', message: fieldTexts.year }],
  })
}
