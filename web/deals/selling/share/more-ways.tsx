import type { Car } from '@keyturn/contract/cars/calls.ts'
import { fileNameOf } from '@keyturn/contract/cars/file-names.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { Button, Menu } from '@mantine/core'
import { type ComponentType, type RefObject, useRef, useState } from 'react'
import { type Invitation, mailOf } from '../../../cars/invitation.ts'
import { IconChevronDown, IconFileText, IconMail, type IconProps, IconQrcode } from '../../../ui/icons.tsx'
import { keepFile } from '../../../ui/keep-file.ts'
import { FlyerDialog } from './flyer-dialog.tsx'
import { pngFileOf, svgFileOf } from './qr-files.ts'

const texts = carTexts.share

type MoreWaysProps = { car: Car; invitation: Invitation; code: RefObject<SVGSVGElement | null> }

/** What few sellers need, out of the way of the one thing that all of them do (R-cars-33, R-cars-34). */
export function MoreWays({ car, invitation, code }: MoreWaysProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [isPrinting, setPrinting] = useState(false)
  const savePng = async () => {
    const file = code.current && (await pngFileOf(code.current))
    if (file) keepFile(file, fileNameOf(car, 'qr.png'))
  }
  const saveSvg = () => {
    if (code.current) keepFile(svgFileOf(code.current), fileNameOf(car, 'qr.svg'))
  }
  const print = () => {
    // The dialog gives the focus back to whoever had it, and the entry is gone by then.
    target.current?.focus({ preventScroll: true })
    setPrinting(true)
  }
  return (
    <>
      <Menu position="bottom" offset={6} withinPortal={false}>
        <Menu.Target>
          <Button ref={target} variant="default" rightSection={<IconChevronDown size={18} stroke={1.75} />}>
            {texts.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={mailOf(invitation)} leftSection={sign(IconMail)}>
            {texts.email}
          </Menu.Item>
          <Menu.Item leftSection={sign(IconFileText)} onClick={print}>
            {texts.printFlyer}
          </Menu.Item>
          <Menu.Item leftSection={sign(IconQrcode)} onClick={savePng}>
            {texts.savePng}
          </Menu.Item>
          <Menu.Item leftSection={sign(IconQrcode)} onClick={saveSvg}>
            {texts.saveSvg}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPrinting && <FlyerDialog car={car} onClose={() => setPrinting(false)} />}
    </>
  )
}

const sign = (Icon: ComponentType<IconProps>) => <Icon size={18} stroke={1.75} />
