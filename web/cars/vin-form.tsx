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
  /** The form with `vin` and the fields that the look-up fills in; all of them can also be typed by hand. */
  form: {
    getInputProps: (path: 'vin') => GetInputPropsReturnType
    setValues: (found: Pick<VinFacts, 'make' | 'carModel' | 'year'> & { trim?: string }) => void
    setFieldError: (path: 'vin', sentence: string) => void
    clearErrors: () => void
  }
}

/** A VIN with Verify VIN beside it, which looks the car up and fills in what is known about it (R-cars-14). */
export function VerifiedVinField({ label, form }: VerifiedVinFieldProps) {
  const { value, error, onChange, ...field } = form.getInputProps('vin')
  const client = useQueryClient()
  const present = usePresent(value)
  useEffect(warmVinLookUp, [])
  const [isVerified, setVerified] = useState(false)
  const verify = async () => {
    if (value === '') return form.setFieldError('vin', carTexts.vinLookupFailed)
    // If the VIN was corrected in the meantime, the answer is about another car.
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
          // Keyed by VIN, because a button still waiting for the old VIN's answer would not take a click for the new one.
          <WorkButton key={value} variant="default" onClick={verify} working={carTexts.add.verifying}>
            {carTexts.add.verify}
          </WorkButton>
        }
      />
      {isVerified && <Notice kind="good">{carTexts.add.verified}</Notice>}
    </>
  )
}

/** The field's present value, for callbacks that finish later; null once the field is gone. */
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

/** A VIN that names no car is 'Invalid VIN' (R-cars-14); if the network is away, the VIN may still be right. */
function sentenceOf(fault: unknown): string {
  const isOfTheNumber =
    isRefusedWith(fault, lookUpVin, 'InvalidVin') || isRefusedWith(fault, lookUpVin, 'ValidationError')
  return fault instanceof Refusal && !isOfTheNumber ? fault.message : carTexts.vinLookupFailed
}
