import { lookUpVin } from '@keyturn/contract/cars/calls.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import type { Answer } from '@keyturn/contract/kit/call.ts'
import { Refusal } from '@keyturn/contract/kit/refusal.ts'
import { hasRightCheckDigit } from '@keyturn/contract/kit/vin.ts'
import type { GetInputPropsReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { announce, Notice } from '../ui/feedback/notice.tsx'
import { WorkButton } from '../ui/feedback/work-button.tsx'
import { VinField } from '../ui/fields/vin-field.tsx'
import { isRefusedWith } from '../wire/refusals.ts'
import { vinQuery, warmVinLookUp } from './queries.ts'

type VinFacts = Answer<typeof lookUpVin>

type VerifiedVinFieldProps = {
  label: string
  /** Whose `vin` it is, and whose other fields it fills in; they can all be filled in by hand as well. */
  form: {
    getInputProps: (path: 'vin') => GetInputPropsReturnType
    setValues: (found: Pick<VinFacts, 'make' | 'carModel' | 'year'> & { trim?: string }) => void
    setFieldError: (path: 'vin', sentence: string) => void
    clearErrors: () => void
  }
}

/** A VIN with Verify VIN beside it: looks the car up and fills in what is known of it (R-cars-14). */
export function VerifiedVinField({ label, form }: VerifiedVinFieldProps) {
  const { value, error, onChange, ...field } = form.getInputProps('vin')
  const client = useQueryClient()
  const present = usePresent(value)
  useEffect(warmVinLookUp, [])
  const [isVerified, setVerified] = useState(false)
  const verify = async () => {
    if (value === '') return form.setFieldError('vin', carTexts.vinLookupFailed)
    // The number can be corrected meanwhile: what comes then is about another car.
    const tell = (say: () => void) => present.current === value && say()
    try {
      const { make, carModel, year, trim } = await client.fetchQuery(vinQuery(value))
      tell(() => {
        form.setValues({ make, carModel, year, ...(trim && { trim }) })
        form.clearErrors()
        setVerified(true)
        announce(carTexts.add.verified)
      })
    } catch (fault) {
      tell(() => form.setFieldError('vin', sentenceOf(fault)))
    }
  }
  return (
    <>
      <VinField
        {...field}
        label={label}
        value={value}
        error={error}
        maxLength={32}
        description={error === carTexts.vinLookupFailed ? carTexts.add.byHand : undefined}
        note={hasRightCheckDigit(value) ? undefined : carTexts.vinCheckDigit}
        onChange={(typed) => {
          setVerified(false)
          onChange(typed)
        }}
        action={
          // By its number: a button that still waits for the old one's answer would not take the new one.
          <WorkButton key={value} variant="default" onClick={verify} working={carTexts.add.verifying}>
            {carTexts.add.verify}
          </WorkButton>
        }
      />
      {isVerified && <Notice kind="good">{carTexts.add.verified}</Notice>}
    </>
  )
}

/** What the field holds now, for what ends later; null once there is no field any more. */
function usePresent(value: string) {
  const present = useRef<string | null>(null)
  useEffect(() => {
    present.current = value
    return () => {
      present.current = null
    }
  }, [value])
  return present
}

/** A number that names no car is 'Invalid VIN' (R-cars-14); a network that is away says nothing about the number. */
function sentenceOf(fault: unknown): string {
  const isOfTheNumber =
    isRefusedWith(fault, lookUpVin, 'InvalidVin') || isRefusedWith(fault, lookUpVin, 'ValidationError')
  return fault instanceof Refusal && !isOfTheNumber ? fault.message : carTexts.vinLookupFailed
}
