'use client';

import { useKeysSwitch } from '@/app/_components/keys';
import { shortcuts } from '@/app/_components/shell/shortcuts';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Kbd, ModKey } from '@/app/_components/ui/kbd';
import { SwitchRow } from '@/app/_components/ui/switch';

/** The list of shortcuts, with a switch for single-key shortcuts. */
export function ShortcutsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { isOn, setOn } = useKeysSwitch();
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Keyboard shortcuts"
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="mt-1 border-b pb-3">
        <SwitchRow checked={isOn} onCheckedChange={setOn}>
          Single-key shortcuts
        </SwitchRow>
        <p className="text-small text-muted">
          Turn them off if they interfere with speech input or typing. The setting is stored in this browser.
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only while it has the focus */}
      <div tabIndex={0} className="max-h-[52dvh] overflow-y-auto">
        {shortcuts.map(({ where, list }) => (
          <section key={where} aria-label={where} className="mt-3">
            <h3 className="text-small text-faint">{where}</h3>
            <ul className="divide-y">
              {list.map(({ keys, does, stays }) => (
                <li key={does} className="flex items-center gap-3 py-1.5">
                  <span className={isOn || stays ? 'grow' : 'grow text-faint line-through'}>{does}</span>
                  <span className="flex gap-1">
                    {keys.map((key) => (key === 'mod' ? <ModKey key={key} /> : <Kbd key={key}>{key}</Kbd>))}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
