import { carFileName } from '@keyturn/contract/cars/car-file-name.ts'
import {
  type Car,
  type FlyerPaperSize,
  flyerPaperSizes,
  readCarFlyer,
} from '@keyturn/contract/cars/endpoints.ts'
import { flyerTexts } from '@keyturn/contract/cars/flyer-texts.ts'
import { carTexts } from '@keyturn/contract/cars/texts.ts'
import { sellingTexts } from '@keyturn/contract/deals/selling-texts.ts'
import { Button, Checkbox, Menu, SegmentedControl, Stack, Text } from '@mantine/core'
import { QRCodeSVG } from 'qrcode.react'
import { type ComponentType, type Ref, type RefObject, useId, useRef, useState } from 'react'
import { fetchDocument } from '../../../../api/send.ts'
import { CarPicture } from '../../../../components/display/car-picture.tsx'
import { downloadFile } from '../../../../components/download-file.ts'
import { ConfirmDialog } from '../../../../components/feedback/confirm-dialog.tsx'
import { useCopy } from '../../../../components/feedback/use-copy.ts'
import {
  IconCheck,
  IconChevronDown,
  IconCopy,
  IconFileText,
  IconMail,
  type IconProps,
  IconQrcode,
  IconShare2,
} from '../../../../components/icons.tsx'
import { hasShareSheet, type Invitation, mailtoHref, openShareSheet } from '../../../cars/invitation.ts'
import { useInvitation } from '../../../cars/use-invitation.ts'
import { PriceEditor } from './price-editor.tsx'
import classes from './share-panel.module.css'

const flyer = flyerTexts.dialog
const texts = carTexts.share

type SharePanelProps = { car: Car; isNext: boolean }

/** What the buyer will see, the link to send, and its QR code for a buyer on site (R-deals-98, R-cars-20). */
export function SharePanel({ car, isNext }: SharePanelProps) {
  const invitation = useInvitation(car)
  const code = useRef<SVGSVGElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const { isCopied, copy } = useCopy(invitation.url, texts.copied)
  /** Only the button that was pressed says that it has copied. */
  const [isBySend, setBySend] = useState(false)
  const copyLink = (bySend: boolean) => () => {
    // Without permission to use the clipboard, the link stays selected, so that it can be copied by
    // hand.
    field.current?.select()
    copy()
    setBySend(bySend)
  }
  return (
    <section className={classes.panel} aria-label={sellingTexts.shareTitle}>
      <div className={classes.column}>
        <div className={classes.picture}>
          <CarPicture car={car} sizes={pictureSizes} />
        </div>
        <PriceEditor car={car} />
      </div>
      <div className={classes.column}>
        <SendButton
          invitation={invitation}
          isNext={isNext}
          isCopied={isCopied && isBySend}
          onCopy={copyLink(true)}
        />
        <QrCode value={invitation.url} label={texts.qrLabel} drawn={code} />
        <CopyLink
          link={invitation.url}
          field={field}
          isCopied={isCopied && !isBySend}
          onCopy={copyLink(false)}
        />
        <MoreShareOptions car={car} invitation={invitation} code={code} />
      </div>
    </section>
  )
}

/** Matches the columns of `share-panel.module.css`. */
const pictureSizes = '(min-width: 62em) 600px, 100vw'

type CopyProps = { isCopied: boolean; onCopy: () => void }
type SendButtonProps = CopyProps & { invitation: Invitation; isNext: boolean }

/** Opens the device's share sheet, or copies the link where there is none. */
function SendButton({ invitation, isNext, isCopied, onCopy }: SendButtonProps) {
  const [isSheetBroken, setSheetBroken] = useState(false)
  const send = async () => {
    if (isSheetBroken || !hasShareSheet(navigator)) return onCopy()
    if (await openShareSheet(navigator, invitation)) return
    // Safari may not copy after the wait for a sheet, so the next click copies at once.
    setSheetBroken(true)
    onCopy()
  }
  return (
    <Button fullWidth variant={isNext ? 'filled' : 'default'} onClick={send}>
      <CopyFaces isCopied={isCopied} Icon={IconShare2}>
        {texts.send}
      </CopyFaces>
    </Button>
  )
}

type CopyLinkProps = CopyProps & { link: string; field: RefObject<HTMLInputElement | null> }

function CopyLink({ link, field, isCopied, onCopy }: CopyLinkProps) {
  return (
    <div className={classes.row}>
      <input
        ref={field}
        className={classes.link}
        aria-label={texts.linkLabel}
        value={link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button variant="default" className={classes.button} onClick={onCopy}>
        <CopyFaces isCopied={isCopied} Icon={IconCopy}>
          {texts.copy}
        </CopyFaces>
      </Button>
    </div>
  )
}

type CopyFacesProps = { isCopied: boolean; Icon: ComponentType<IconProps>; children: string }

/** The button's label, which says for a moment that the link was copied, at the same width. */
const CopyFaces = ({ isCopied, Icon, children }: CopyFacesProps) => (
  <span className={classes.faces}>
    <span data-off={isCopied || undefined} aria-hidden={isCopied}>
      {iconElement(Icon)}
      {children}
    </span>
    <span data-off={!isCopied || undefined} aria-hidden={!isCopied}>
      {iconElement(IconCheck)}
      {texts.copied}
    </span>
  </span>
)

type QrCodeProps = { value: string; label: string; drawn: Ref<SVGSVGElement> }

/** Always dark on white, so that cameras can read the code. */
function QrCode({ value, label, drawn }: QrCodeProps) {
  return (
    <div className={classes.frame}>
      <QRCodeSVG
        ref={drawn}
        value={value}
        size={256}
        level="M"
        marginSize={2}
        title={label}
        className={classes.code}
        role="img"
      />
    </div>
  )
}

type MoreShareOptionsProps = { car: Car; invitation: Invitation; code: RefObject<SVGSVGElement | null> }

/** Less common ways to share, collapsed (R-cars-33, R-cars-34). */
function MoreShareOptions({ car, invitation, code }: MoreShareOptionsProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [isPrinting, setPrinting] = useState(false)
  const savePng = async () => {
    const file = code.current && (await createPngFile(code.current))
    if (file) downloadFile(file, carFileName(car, 'qr.png'))
  }
  const saveSvg = () => {
    if (code.current) downloadFile(createSvgFile(code.current), carFileName(car, 'qr.svg'))
  }
  const print = () => {
    // The dialog would return the focus to the menu entry, which no longer exists.
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
          <Menu.Item component="a" href={mailtoHref(invitation)} leftSection={iconElement(IconMail)}>
            {texts.email}
          </Menu.Item>
          <Menu.Item leftSection={iconElement(IconFileText)} onClick={print}>
            {texts.printFlyer}
          </Menu.Item>
          <Menu.Item leftSection={iconElement(IconQrcode)} onClick={savePng}>
            {texts.savePng}
          </Menu.Item>
          <Menu.Item leftSection={iconElement(IconQrcode)} onClick={saveSvg}>
            {texts.saveSvg}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPrinting && <FlyerDialog car={car} onClose={() => setPrinting(false)} />}
    </>
  )
}

const iconElement = (Icon: ComponentType<IconProps>) => <Icon size={18} stroke={1.75} />

/** A code's dark modules as one path, and its width, both in modules. */
type Code = { path: string; width: number }

/** In modules. On the screen, CSS adds this part of the quiet zone, but a file must contain it. */
const addedQuietZone = 2
/** Minimum width of a file in pixels, so that it is sharp enough for print. */
const minFilePixels = 1024

function readCode(drawn: SVGSVGElement): Code {
  const path = [...drawn.querySelectorAll('path')].at(-1)?.getAttribute('d') ?? ''
  return { path, width: drawn.viewBox.baseVal.width }
}

const createSvgFile = (drawn: SVGSVGElement): Blob =>
  new Blob([createSvg(readCode(drawn))], { type: 'image/svg+xml' })

function createSvg({ path, width }: Code): string {
  const whole = width + 2 * addedQuietZone
  const box = `${-addedQuietZone} ${-addedQuietZone} ${whole} ${whole}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="${minFilePixels}" height="${minFilePixels}" shape-rendering="crispEdges">`,
    `<rect x="${-addedQuietZone}" y="${-addedQuietZone}" width="${whole}" height="${whole}" fill="#fff"/>`,
    `<path d="${path}" fill="#000"/></svg>`,
  ].join('')
}

/** Renders each module as whole pixels, so that none is blurry. */
function createPngFile(drawn: SVGSVGElement): Promise<Blob | null> {
  const { path, width } = readCode(drawn)
  const whole = width + 2 * addedQuietZone
  const scale = Math.ceil(minFilePixels / whole)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = whole * scale
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.resolve(null)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(scale, scale)
  pen.translate(addedQuietZone, addedQuietZone)
  pen.fillStyle = '#000'
  pen.fill(new Path2D(path))
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/**
 * Lets the seller choose the paper size, and whether the flyer shows their name in public
 * (R-cars-33).
 */
function FlyerDialog({ car, onClose }: { car: Car; onClose: () => void }) {
  const label = useId()
  const [paper, setPaper] = useState<FlyerPaperSize>(defaultPaper)
  const [isNamed, setNamed] = useState(false)
  const download = async () => {
    const query = { paper, contact: isNamed ? 'true' : 'false' } as const
    downloadFile(
      await fetchDocument(readCarFlyer, { params: { vin: car.vin }, query }),
      carFileName(car, 'flyer.pdf'),
    )
    onClose()
  }
  return (
    <ConfirmDialog
      title={flyer.title}
      confirm={flyer.download}
      cancel={flyer.cancel}
      working={flyer.downloading}
      failed={flyer.failed}
      onConfirm={download}
      onClose={onClose}
    >
      <Stack gap="md">
        <Text>{flyer.lead}</Text>
        <Stack gap="xs">
          <Text id={label} fw={550}>
            {flyer.paper}
          </Text>
          <SegmentedControl
            aria-labelledby={label}
            data={flyerPaperSizes.map((value) => ({ value, label: flyer.papers[value] }))}
            value={paper}
            onChange={(value) => setPaper(flyerPaperSizes.find((one) => one === value) ?? paper)}
          />
        </Stack>
        <Checkbox
          label={flyer.contact}
          description={flyer.contactHint}
          checked={isNamed}
          onChange={(event) => setNamed(event.currentTarget.checked)}
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** Returns Letter in the countries that use it, otherwise A4. */
const defaultPaper = (): FlyerPaperSize =>
  /-(US|CA|MX|PR|PH|CL|CO)\b|^en$/.test(navigator.language) ? 'letter' : 'a4'
