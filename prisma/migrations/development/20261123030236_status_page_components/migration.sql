-- CreateTable
CREATE TABLE "incident_components" (
    "incident_id" TEXT NOT NULL,
    "component_id" TEXT NOT NULL,

    CONSTRAINT "incident_components_pkey" PRIMARY KEY ("incident_id","component_id")
);

-- CreateTable
CREATE TABLE "status_page_components" (
    "id" TEXT NOT NULL,
    "status_page_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "status_page_components_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "incident_components_component_id_idx" ON "incident_components"("component_id");

-- CreateIndex
CREATE UNIQUE INDEX "status_page_components_status_page_id_name_key_key" ON "status_page_components"("status_page_id", "name_key");

-- AddForeignKey
ALTER TABLE "incident_components" ADD CONSTRAINT "incident_components_incident_id_fkey" FOREIGN KEY ("incident_id") REFERENCES "incidents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "incident_components" ADD CONSTRAINT "incident_components_component_id_fkey" FOREIGN KEY ("component_id") REFERENCES "status_page_components"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "status_page_components" ADD CONSTRAINT "status_page_components_status_page_id_fkey" FOREIGN KEY ("status_page_id") REFERENCES "status_pages"("id") ON DELETE CASCADE ON UPDATE CASCADE;
